// Messages on their way to disk.  Each is in IndexedDB before it is sent and leaves it when the
// server has acknowledged it; whatever a crash leaves there is sent at the next start.

const STORES = ["waiting", "refused", "kept"];

export async function openStore(name) {
  const request = indexedDB.open(`canoe ${name}`, 1);
  request.onupgradeneeded = () => {
    for (const store of STORES) request.result.createObjectStore(store, { keyPath: ["run", "number"] });
  };
  const database = await settled(request);
  const change = (store, act) => {
    const transaction = database.transaction(store, "readwrite", { durability: "strict" });
    act(transaction.objectStore(store));
    // Without waiting for the page, which may be reloaded the next moment.
    transaction.commit();
    return new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  };
  const forget = (target, messages) => messages.forEach(({ run, number }) => target.delete([run, number]));
  return {
    // Store a message, and in the same breath forget others.
    put: (store, message, done = []) =>
      change(store, (target) => {
        target.put(message);
        forget(target, done);
      }),
    remove: (store, messages) => change(store, (target) => forget(target, messages)),
    all: (store) => settled(database.transaction(store).objectStore(store).getAll()),
  };
}

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;
const TIDY_MS = 150;

// Send messages in order, one at a time, and each until it is acknowledged.
//   post(message) resolves with {status, body}, or rejects where nobody answers.
//   changed({pending, problem, superseded}) hears of every change.
export function openOutbox({ store, post, changed, wait }) {
  const queue = [];
  // Acknowledged messages are forgotten with the next that is stored, or soon after the last; one
  // that a crash leaves is sent again, which changes nothing.
  let done = [];
  const taken = () => done.splice(0);
  const tidy = () => queue.length || !done.length || store.remove("waiting", taken());
  let sending = false;
  let problem = null;

  const tell = (more = {}) => changed({ pending: queue.length, problem, ...more });

  async function deliver(message) {
    for (let pause = SHORTEST_WAIT_MS; ; pause = Math.min(2 * pause, LONGEST_WAIT_MS)) {
      try {
        const { status, body } = await post(message);
        if (status === 200) {
          problem = null;
          done.push(message);
          return body;
        }
        if (status >= 400 && status < 500) {
          // Sending it again would not help; it stays here to be looked at.
          await store.put("refused", message);
          done.push(message);
          problem = "refused";
          return {};
        }
        problem = status === 507 ? "disk" : "server";
      } catch {
        problem = "unreachable";
      }
      tell();
      await wait(pause);
    }
  }

  async function run() {
    if (sending) return;
    sending = true;
    while (queue.length) {
      const body = await deliver(queue[0]);
      queue.shift();
      tell({ superseded: Boolean(body.superseded) });
    }
    sending = false;
    wait(TIDY_MS).then(tidy);
  }

  return {
    async add(message) {
      queue.push(message);
      tell();
      try {
        await store.put("waiting", message, taken());
      } catch {
        problem = "no_store";
      }
      // Not awaited: the participant never waits for a disk.
      run();
    },
    // Send what an earlier page left behind, and say how many messages that was.
    async flush() {
      const left = await store.all("waiting");
      queue.push(...left);
      await run();
      return left.length;
    },
    unsent: () => [...queue],
  };
}
