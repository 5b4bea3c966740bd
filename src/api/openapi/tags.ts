/** What the groups of operations are about, in the order of the reference. */
export const tags: Record<string, string> = {
  Tasks: 'Tasks in which an agent changes a site.',
  Check: 'Checks of a request before you start a task.',
  'Lists of tasks': 'Lists of tasks.',
  Events: 'The progress of a task as a stream of events, without polling.',
  Diffs: 'The changes that a task made.',
  Runs: "Links to Temporal's web UI for operators.",
  Requests: 'The original requests of tasks.',
  Batches: 'Batches create a page for each row of a table.',
  'Follow-ups': 'Actions on an existing task: publish, retry, cancel and answer.',
  'Going live': 'Checks of what would go live, before it does.',
  Approvals: 'Approvals of pages by another person, for sites that publish only approved pages.',
  Notes: "Notes say what a person should check in a task's result.",
  Previews:
    "Previews show a task's result until they end. Anyone who knows the URL of a preview can see it.",
  Callbacks:
    'The delivery of callbacks, and how to send them again. The section on webhooks describes their content.',
  Editing: 'Links to edit the pages of a completed task by hand.',
  Sharing: 'Links that show the pages of a task to people who have no account.',
  Sites: 'The sites that tasks change.',
  'Site settings': 'The repository, the host and the author of each site.',
  'Webhooks of forges':
    'Forges report builds and merges by webhook, so that tasks notice them at once.',
  Deployments: 'The current and the previous deployments of a site.',
  People: 'Your organization, its members and its invitations.',
  'API keys': 'The keys that may call this API. Keys that the console uses are not listed.',
  Assistants: 'Programs that people have allowed, by OAuth, to act for them at `/mcp`.',
  'Callback secret': 'The secret by which receivers verify callbacks.',
  'Webhook endpoints':
    'Endpoints that receive the events of the organization: programs, Slack and Microsoft Teams.',
  Audit: 'A record of sign-ins and changes of settings: who, what, when and from where.',
  Usage: "The organization's usage of language models and builds.",
  Reference: 'This OpenAPI 3.1 document. The page `/docs` of the service shows it.',
  Health:
    'Health checks for the operator. They also accept an IP address as the host, because probes often have no host name.',
  Webhooks:
    'The requests that the service sends: to a `callbackUrl`, and events to webhook endpoints.',
};
