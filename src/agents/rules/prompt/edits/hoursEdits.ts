import { noteOn } from '../../../../contract/task.ts';
import { DAYS } from '../../../../text/days.ts';
import { plainText } from '../../../text/marks.ts';
import type { GroupListing } from '../../../tools/grouping.ts';
import type { HoursListing, PageHits } from '../../../tools/readPages.ts';
import type { StepOf } from '../planSteps.ts';
import { daysIn, timesIn, written, type Times } from './openingTimes.ts';
import { listed, refuse } from './refuse.ts';
import { ask, call, listGroups, readSlots, type Work } from './askSite.ts';

type HoursStep = StepOf<'hours'>;

/** Changes the hours in the row of the step's days, and in structured data. */
export function* editHours(step: HoursStep): Work {
  const slug = step.slug ?? onlyPage(yield* ask(call('search', { text: DAYS[step.days[0]!]! })));
  const page = yield* ask(readSlots(slug));
  const groups = yield* ask(listGroups(slug));
  const stated = yield* ask(call('list_hours', { slug }));
  const row = rowFor(slug, groups, step);
  const times = timesFor(step, row.old);
  const data = dataOf(stated, step, times);
  const text = times ? written(row.old, times, row.others) : 'Closed';
  const all = [{ id: row.id, text }, ...(data ?? [])];
  const changed = all.filter(
    ({ id, text }) => page.slots.find((slot) => slot.id === id)?.text !== text,
  );
  const edits = changed.length > 0 ? changed : all.slice(0, 1);
  if (data) return [call('set_texts', { slug, edits })];
  const note = 'the structured data states other opening hours: change them by hand';
  return [call('set_texts', { slug, edits, notes: [noteOn(slug, 'hours', note)] })];
}

function onlyPage(hits: PageHits[]): string {
  const slugs = hits
    .filter(({ hits }) => hits.some(({ role, text }) => role !== 'structured-data' && isRow(text)))
    .map(({ slug }) => slug);
  if (slugs.length === 1) return slugs[0]!;
  if (slugs.length === 0) throw refuse('no page has opening hours in a table or list');
  throw refuse(`opening hours stand on ${listed(slugs)}: say on which page`);
}

/** Whether a text consists of days only, such as the first cell of a row of hours. */
const isRow = (text: string) =>
  text.length < LONGEST_ROW &&
  daysIn(text).length > 0 &&
  /^[a-z]+(?:[ –,&-]+[a-z]+){0,3}:?$/i.test(text);
const LONGEST_ROW = 40;

interface TextEdit {
  id: string;
  text: string;
}

/** The hours to write. If the prompt gives only one time, the other one comes from the row. */
function timesFor({ hours, edge }: HoursStep, old: string): Times | null {
  if (hours === null) return null;
  const now = edge && timesIn(old);
  if (now === null) throw refuse(`the row says "${old}": say from when to when it is open`);
  const range = now
    ? edge === 'opens'
      ? `${hours} to ${now.closes}`
      : `${now.opens} to ${hours}`
    : hours;
  const times = timesIn(range);
  if (!times) throw refuse(`"${hours}" is not understood as opening hours: say am or pm`);
  return times;
}

/** The row of the step's days. Returns its hours (`old`), and those of all rows. */
function rowFor(
  slug: string,
  groups: GroupListing,
  { days }: HoursStep,
): { id: string; old: string; others: string[] } {
  const rows = groups.flatMap(({ members }) => members).filter((texts) => texts.length === 2);
  const named = rows.map((texts) => ({ texts, days: daysIn(plainText(texts[0]!.text)) }));
  const own = named.find((row) => row.days.join() === days.join());
  const around = named.find((row) => days.some((day) => row.days.includes(day)));
  const hoursOf = ({ texts }: (typeof named)[number]) => plainText(texts[1]!.text);
  if (own) return { id: own.texts[1]!.id, old: hoursOf(own), others: named.map(hoursOf) };
  if (around)
    throw refuse(
      `${slug} has one row for "${plainText(around.texts[0]!.text)}": change all of its days, or the row`,
    );
  throw refuse(
    `${slug} has no row of opening hours for ${days.map((day) => DAYS[day]).join(' and ')}`,
  );
}

/** The edits of structured data. null if it does not state hours for exactly these days. */
function dataOf(stated: HoursListing, { days }: HoursStep, times: Times | null): TextEdit[] | null {
  const own = stated.find((entry) => entry.days.toSorted((a, b) => a - b).join() === days.join());
  const isStated = stated.some((entry) => entry.days.some((day) => days.includes(day)));
  if (!own) return stated.length > 0 && (isStated || times) ? null : [];
  const { opens, closes } = times ?? CLOSED;
  return [
    { id: own.opens, text: opens },
    { id: own.closes, text: closes },
  ];
}

/** How structured data states that a day is closed. */
const CLOSED: Times = { opens: '00:00', closes: '00:00' };
