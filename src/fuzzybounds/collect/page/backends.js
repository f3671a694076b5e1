// Where a session is kept: by the server of `fuzzybounds task`, or in this browser alone.

import { openOutbox, openStore } from "canoe/outbox.js";
import { addTrial, noTrials } from "canoe/summary.js";

const BEAT_MS = 5000;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// The server appends every message durably before it answers.
export async function serverBackend(study, changed) {
  const post = async (route, content) => {
    const answer = await fetch(`api/${route}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(content),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const store = await openStore(study.name);
  const outbox = openOutbox({ store, post: (message) => post("message", message), changed, wait: pause });
  await outbox.flush();
  // The run that this browser began last: its page is gone, since only one tab may be open, so that
  // a reload is not taken for a second window.
  const [last] = await store.all("kept");
  let current = null;
  setInterval(() => current && post("beat", current).catch(() => {}), BEAT_MS);
  addEventListener("pagehide", () => {
    const leave = (messages) => {
      const text = JSON.stringify({ ...current, messages });
      return navigator.sendBeacon("api/leave", new Blob([text], { type: "application/json" }));
    };
    // What is on its way goes along, in order; if that is too long, the store has it.
    if (current && !leave(outbox.unsent())) leave([]);
  });
  return {
    kind: "server",
    async start(request) {
      const previous = last ? { previous: last.previous } : {};
      const { status, body } = await post("start", { ...request, ...previous });
      if (status !== 200) throw new Error(body.error ?? `status ${status}`);
      if (body.refused) return body;
      current = { run: request.run, code: request.code };
      await store.put("kept", { run: "last", number: 0, previous: request.run });
      return { ...body, tally: body.trials.reduce(addTrial, noTrials()) };
    },
    add: outbox.add,
  };
}

// Without a server everything stays in this browser, and is offered as a file after every block.
export async function localBackend(study, changed) {
  let store = null;
  try {
    store = await openStore(`${study.name} offline`);
  } catch {
    changed({ pending: 0, problem: "no_store" });
  }
  const kept = store ? await store.all("kept") : [];
  return {
    kind: "local",
    async start(request) {
      const earlier = kept.filter((message) => message.code === request.code);
      const answer = nextOf(study, earlier);
      if (answer.refused) return answer;
      const message = { ...request, kind: "start", number: 0, session: answer.session };
      kept.push(message);
      await store?.put("kept", message);
      return { ...answer, seed: request.seed };
    },
    async add(message) {
      kept.push(message);
      await store?.put("kept", message);
      changed({ pending: 0, problem: store ? null : "no_store" });
    },
    // All messages of a participant, oldest run first, as a file for `fuzzybounds task add`.
    file(code) {
      const messages = kept.filter((message) => message.code === code);
      const starts = messages.filter((message) => message.kind === "start");
      const order = starts.sort((a, b) => a.client.utc.localeCompare(b.client.utc)).map(({ run }) => run);
      const place = (message) => order.indexOf(message.run);
      messages.sort((a, b) => place(a) - place(b) || a.number - b.number);
      const { name, design, questions } = study;
      return { format: "fuzzybounds task 1", study: name, design, questions, messages };
    },
  };
}

// Where a participant goes on, from the messages so far: at the block after the last one begun.
function nextOf(study, messages) {
  const { blocks, sessions } = study.design;
  let tally = noTrials();
  let trial = 1;
  let last = 0;
  let session = 1;
  for (const { kind, trial: record } of messages) {
    if (kind === "finish") session += 1;
    if (!record) continue;
    tally = addTrial(tally, record);
    trial = Math.max(trial, record.trial + 1);
    last = Math.max(last, record.block);
  }
  if (session > sessions) return { refused: "complete" };
  const first = (session - 1) * blocks + 1;
  const block = Math.max(last + 1, first);
  return { session, first_block: first, last_block: session * blocks, block, trial, tally };
}
