import { type EventBody, TEST_EVENT } from '../contract/events.ts';
import { type EventWords, wordEvent } from '../contract/text/eventWords.ts';

/** The body that an incoming webhook of a chat takes. */
export function channelMessage(kind: 'slack' | 'teams', eventBody: string): string {
  const event = JSON.parse(eventBody) as EventBody | { type: typeof TEST_EVENT };
  const words = event.type === TEST_EVENT ? testWords : wordEvent(event);
  return JSON.stringify(kind === 'slack' ? slackMessage(words) : teamsMessage(words));
}

const testWords = {
  headline: 'This is a test. Events of Agent Tasks appear in this channel',
  details: [],
  url: undefined,
};

type MessageWords = Pick<EventWords, 'headline' | 'details'> & { url: string | undefined };

const OPEN_TITLE = 'Open';
/**
 * Characters that Slack reads as markup. Links, mentions and commands begin with `<`. The last four
 * make words bold, italic, struck through or code, and are left out.
 */
const slackMarkup = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ...[...'*_~`'].map((character): [string, string] => [character, '']),
]);

/** A message of Slack with blocks. `text` is for notifications. */
function slackMessage({ headline, details, url }: MessageWords) {
  const lines = [`*${slackText(headline)}*`, ...details.map(slackText)];
  const openButton = {
    type: 'button',
    text: { type: 'plain_text', text: OPEN_TITLE },
    url,
  };
  return {
    text: slackText(headline),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: lines.join('\n'), verbatim: true } },
      ...(url === undefined ? [] : [{ type: 'actions', elements: [openButton] }]),
    ],
  };
}

const slackText = (text: string) =>
  [...text].map((character) => slackMarkup.get(character) ?? character).join('');

/** An Adaptive Card for a Workflows webhook of Teams. Text runs are shown without Markdown. */
function teamsMessage({ headline, details, url }: MessageWords) {
  const textLine = (text: string, weight: 'Bolder' | 'Default') => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, weight }],
  });
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [textLine(headline, 'Bolder'), ...details.map((detail) => textLine(detail, 'Default'))],
    actions: url === undefined ? [] : [{ type: 'Action.OpenUrl', title: OPEN_TITLE, url }],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] };
}
