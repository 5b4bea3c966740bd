/**
 * The document's introduction, in CommonMark.
 * @param retentionDays days that Temporal keeps a finished task
 */
export const introduction = (retentionDays: number) =>
  `
Start a background task that changes one of your sites, read its status, and receive a callback when it finishes.

**Tasks.** \`POST /agent/tasks\` returns a \`taskId\` and the status \`running\` at once. Poll
\`GET /agent/tasks/{taskId}\` every 5 seconds until \`status\` is \`completed\` or \`failed\`, or give a
\`callbackUrl\`. A finished task never changes. The service stores it for ${retentionDays} days.

**Keys.** Send \`Authorization: Bearer <API key>\`. The key's role must be \`member\` or above. Another organization's
tasks and sites return 404.

**Bodies** are JSON in UTF-8. The service does not convert types, and rejects fields that this document does not list. \`null\` for an
optional field means that it is absent.

**Errors** have the body \`{"error": "…"}\`. The header field \`Agent-Tasks-Error\` (RFC 9651) contains a code for programs, and
sometimes a more detailed reason: \`INVALID_CALLBACK_URL;reason="its host is a private address"\`.

**Slugs** name pages by their path: \`/locations/porto\`. A request may omit the first slash. Responses always contain
it.

**Limits.** Requests that create, check and read have separate rate limits for each key. \`RateLimit-Policy: "create";q=60;w=60\` and
\`RateLimit: "create";r=59;t=60\` (IETF draft) mean 60 requests in 60 seconds, 59 left now, and the full number again
in 60 seconds. All keys that one person created share three times the limit, and all keys of an organization share ten
times the limit. The header names the limit that is nearest, such as \`"create-person"\`. After a 429, \`Retry-After\` says when to try
again.

**Request ids.** Send an \`X-Request-Id\` of 1 to 128 characters of \`A-Z a-z 0-9 . _ -\`, or the service creates one. Every response
contains it, and so does the service's log.
`.trim();
