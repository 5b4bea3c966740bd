/** The text above the operations. CommonMark. */
export const introduction = `
Start a background task that changes one of your sites, read its status, and get a callback when it is done.

**Tasks.** \`POST /agent/tasks\` answers at once with a \`taskId\` and the status \`running\`. Poll \`GET /agent/tasks/{taskId}\` every
5 seconds until \`status\` is \`completed\` or \`failed\`, or give a \`callbackUrl\`. A finished task never changes, and is kept for 30 days.

**Keys.** \`Authorization: Bearer <API key>\`, of the role \`member\` or above. What belongs to another organization is answered like
what never was.

**Bodies** are JSON in UTF-8. Nothing is converted, fields that are not named here are refused, and \`null\` for an optional field means
that it is not there. The body of every error is \`{"error": "…"}\`.

**Limits.** Creating and reading are counted apart, for each key. \`RateLimit-Policy: "create";q=60;w=60\` and
\`RateLimit: "create";r=59;t=60\` (IETF draft) mean 60 requests in 60 s, 59 more now, and the full number again in 60 s. After a 429
\`Retry-After\` says when to come back.

**Requests have names.** Send an \`X-Request-Id\` of 1 to 128 of \`A-Z a-z 0-9 . _ -\`, or get one: every answer, and the service's log,
has it.
`.trim();
