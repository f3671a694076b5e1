"""Result tables and everything about keeping them: checksums, schemas, seeds, shards, errors."""
