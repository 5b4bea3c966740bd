const { BASE_URL, API_KEY, TASK_ID } = process.env;
const events = `${BASE_URL}/agent/tasks/${TASK_ID}/events`;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Yields each event once, over lost connections too, until the task is done. */
async function* follow() {
  let lastId = '';
  for (;;) {
    const headers = { Authorization: `Bearer ${API_KEY}`, 'Last-Event-ID': lastId };
    try {
      const response = await fetch(events, { headers });
      if (response.status === 204) return;
      if (!response.ok)
        throw new Error(`${response.status} ${response.headers.get('Agent-Tasks-Error')}`);
      let text = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (text + chunk).split('\n\n');
        text = blocks.pop();
        for (const block of blocks) {
          const fields = Object.fromEntries(
            block.split('\n').map((line) => line.split(/: (.*)/, 2)),
          );
          if (fields.id === undefined) continue; // a comment, or how long to wait
          lastId = fields.id;
          yield { event: fields.event, data: JSON.parse(fields.data) };
          if (fields.event === 'done') return;
        }
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // fetch says so of a lost connection
    }
    await pause(2_000);
  }
}

for await (const { event, data } of follow()) console.log(event, JSON.stringify(data));
