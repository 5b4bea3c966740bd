import type { RunningService } from './service.ts';

const CONTEXT = [
  'City: Lisbon',
  'Headline: Web design in Lisbon',
  'Lead: Websites for the shops and studios of Alfama and Chiado.',
].join('\n');

/**
 * The text that the service prints once it is ready: its URLs, and a request to paste into a shell.
 * Without a demo site, it lists the commands that a first request needs.
 */
export function welcomeText({
  publicUrl,
  temporalRunsUrl,
  demo,
  firstLink,
}: Pick<RunningService, 'publicUrl' | 'temporalRunsUrl' | 'demo'> &
  Partial<Pick<RunningService, 'firstLink'>>): string {
  const baseUrl = new URL('/api/v1', publicUrl).href;
  const reference = new URL('/docs', publicUrl).href;
  const addressLines = [
    `Ready: ${baseUrl}`,
    ...(temporalRunsUrl ? [`Temporal UI: ${temporalRunsUrl}`] : []),
    `Reference: ${reference}`,
  ];
  const firstLinkLines =
    firstLink === undefined
      ? []
      : [
          'Open this link once, within a day, to create the account of the first owner:',
          '',
          firstLink,
          '',
        ];
  return [
    '',
    ...addressLines,
    '',
    ...firstLinkLines,
    ...(demo ? exampleRequest(baseUrl, demo) : firstCommands),
  ].join('\n');
}

const firstCommands = [
  'Create organizations, keys and sites with these commands:',
  '',
  'npm run -s cli -- organization create --name Acme',
  'npm run -s cli -- key create --organization ORGANIZATION_ID --role member --name first',
  "npm run -s cli -- site create --organization ORGANIZATION_ID --name 'Acme website' --repository URL",
  '',
];

function exampleRequest(
  baseUrl: string,
  { apiKey, siteId, file }: NonNullable<RunningService['demo']>,
): string[] {
  const key = apiKey ?? 'API_KEY';
  const body = {
    siteId,
    command: 'generate_pages',
    templatePageSlug: '/locations/austin',
    items: [{ targetPageSlug: '/locations/lisbon', context: CONTEXT }],
  };
  return [
    `Create a page of the demo site${apiKey ? '' : `, with the apiKey of ${file} for ${key}`}:`,
    '',
    `curl -s ${baseUrl}/agent/tasks \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body, null, 2)}'`,
    '',
    'The reply has a taskId. Read the task until its status is completed, then open its previewUrl:',
    '',
    `curl -s ${baseUrl}/agent/tasks/TASK_ID \\`,
    `  -H 'Authorization: Bearer ${key}'`,
    '',
  ];
}
