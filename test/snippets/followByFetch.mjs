const { BASE_URL, API_KEY, TASK_ID } = process.env;
let lastId = '';
let isDone = false;

while (!isDone) {
  try {
    const response = await fetch(`${BASE_URL}/agent/tasks/${TASK_ID}/events`, {
      headers: { Authorization: `Bearer ${API_KEY}`, 'Last-Event-ID': lastId },
    });
    if (response.status === 204) break;
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) {
        const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (id === undefined) continue; // a comment, or how long to wait
        console.log(event, data);
        lastId = id;
        isDone = event === 'done';
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // fetch throws it when the connection is lost
  }
  if (!isDone) await new Promise((resolve) => setTimeout(resolve, 2_000));
}
