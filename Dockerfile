# The whole workflow in a container. Everything is fetched while the image is built; runs need no network:
#   docker build -t fuzzybounds .
#   docker run --rm --network none fuzzybounds
FROM python:3.13-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git make \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /project
COPY . .
RUN make .venv/.ready && useradd --create-home reader && chown -R reader /project
USER reader
CMD ["make", "figures"]
