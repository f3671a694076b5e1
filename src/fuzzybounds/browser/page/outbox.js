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
    return new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    put: (store, message) => change(store, (own) => own.put(message)),
    remove: (store, message) => change(store, (own) => own.delete([message.run, message.number])),
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

// Send messages in order, one at a time, and each until it is acknowledged.
//   post(message) resolves with {status, body}, or rejects where nobody answers.
//   changed({pending, problem, superseded}) hears of every change.
export function openOutbox({ store, post, changed, wait }) {
  const queue = [];
  let sending = false;
  let problem = null;

  const tell = (more = {}) => changed({ pending: queue.length, problem, ...more });

  async function deliver(message) {
    for (let pause = SHORTEST_WAIT_MS; ; pause = Math.min(2 * pause, LONGEST_WAIT_MS)) {
      try {
        const { status, body } = await post(message);
        if (status === 200) {
          problem = null;
          await store.remove("waiting", message);
          return body;
        }
        if (status >= 400 && status < 500) {
          // Sending it again would not help; it stays here to be looked at.
          await store.put("refused", message);
          await store.remove("waiting", message);
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
  }

  return {
    async add(message) {
      queue.push(message);
      tell();
      try {
        await store.put("waiting", message);
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
    pending: () => queue.length,
  };
}
