import { EventSource } from 'eventsource';

const { BASE_URL, API_KEY, TASK_ID } = process.env;
const source = new EventSource(`${BASE_URL}/agent/tasks/${TASK_ID}/events`, {
  fetch: (url, init) =>
    fetch(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${API_KEY}` } }),
});
// of a lost connection it begins another one, and Node would end while it waits
const awake = setInterval(() => {}, 60_000);

for (const type of ['status', 'progress', 'page', 'done'])
  source.addEventListener(type, ({ data }) => console.log(type, data));
source.addEventListener('done', () => {
  clearInterval(awake);
  source.close();
});
source.addEventListener('error', ({ code, message }) => {
  if (source.readyState !== EventSource.CLOSED) return;
  clearInterval(awake);
  if (code !== 204) throw new Error(`${code} ${message}`);
});
