/** An event stream of a completed task, as the service sent it. */
const completedStream = [
  'retry: 2000',
  'id: 1\nevent: status\ndata: {"at":"2026-11-21T19:09:26.134Z","status":"running"}',
  'id: 2\nevent: progress\ndata: {"at":"2026-11-21T19:09:26.134Z","phase":"reading","steps":0}',
  'id: 3\nevent: progress\ndata: {"at":"2026-11-21T19:09:26.411Z","phase":"working","steps":0}',
  'id: 4\nevent: progress\ndata: {"at":"2026-11-21T19:09:26.721Z","phase":"working","steps":1}',
  'id: 5\nevent: progress\ndata: {"at":"2026-11-21T19:09:26.894Z","phase":"committing","steps":1}',
  'id: 6\nevent: progress\ndata: {"at":"2026-11-21T19:09:27.316Z","phase":"deploying","steps":1}',
  'id: 7\nevent: page\ndata: {"at":"2026-11-21T19:09:27.407Z","slug":"/pricing","previewUrl":"http://bg-8sixy465xzgss1b4vhakba--northwind.preview.localhost:3000/pricing","editUrl":"http://localhost:3000/edit/bg-8sixy465xzgss1b4vhakba/pricing"}',
  'id: 8\nevent: status\ndata: {"at":"2026-11-21T19:09:27.407Z","status":"completed"}',
  'id: 9\nevent: done\ndata: {"taskId":"bg-8sixy465xzgss1b4vhakba","status":"completed","output":{"pagesCreated":[],"pagesModified":[{"slug":"/pricing","previewUrl":"http://bg-8sixy465xzgss1b4vhakba--northwind.preview.localhost:3000/pricing","editUrl":"http://localhost:3000/edit/bg-8sixy465xzgss1b4vhakba/pricing","publishedUrl":null}],"pagesDeleted":[]}}',
  '',
].join('\n\n');

/** An event stream of a failed task, as the service sent it. docs/api.md shows the same one. */
const failedStream = [
  'retry: 2000',
  'id: 1\nevent: status\ndata: {"at":"2026-11-21T19:09:28.361Z","status":"running"}',
  'id: 2\nevent: progress\ndata: {"at":"2026-11-21T19:09:28.361Z","phase":"reading","pages":{"done":0,"total":1}}',
  'id: 3\nevent: status\ndata: {"at":"2026-11-21T19:09:28.547Z","status":"failed"}',
  'id: 4\nevent: done\ndata: {"taskId":"bg-0nk47jecc9nchik8l5x4r6","status":"failed","errorMessage":"Template page not found: /locations/paris"}',
  '',
].join('\n\n');

/** Examples of event streams, by the outcome of the task. */
export const exampleStreams = { completed: completedStream, failed: failedStream };
