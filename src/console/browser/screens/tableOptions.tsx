import type { SitePage } from '../../../contract/answers.ts';
import type { Options } from '../draft.ts';
import { type Choice, SelectField, TextField } from '../ui/controls.tsx';
import { After } from './afterChoice.tsx';
import { MayAsk } from './mayAsk.tsx';

interface OptionsProps {
  options: Options;
  pages: SitePage[];
  template: string;
  /** The template's subject, such as "Austin". */
  about: string;
  /** Whether a batch makes the pages. */
  isBatch: boolean;
  onChange: (options: Options) => void;
}

export const pageChoices = (pages: SitePage[]) =>
  pages.map(({ slug, title }): Choice => [slug, `${title} (${slug})`]);

const canaries: Choice[] = [
  ['', 'Make all at once'],
  ['5', 'Make 5 first, then ask me'],
  ['10', 'Make 10 first, then ask me'],
];

const shares: Choice[] = [
  ['', 'Treat them like the others'],
  ['0.1', 'Hold those with less than 10 %'],
  ['0.2', 'Hold those with less than 20 %'],
  ['0.4', 'Hold those with less than 40 %'],
];

/** The options that apply to all rows. */
export function TableOptions({ options, pages, template, about, isBatch, onChange }: OptionsProps) {
  const set =
    <Name extends keyof Options>(name: Name) =>
    (value: Options[Name]) =>
      onChange({ ...options, [name]: value });
  return (
    <div class="panes">
      <SelectField
        label="Facts missing from your table"
        hint="Prices, quotes, addresses and the like."
        value={options.facts}
        onChange={set('facts')}
        choices={[
          ['keep', `Keep ${about}’s and list them`],
          ['drop', 'Remove them'],
        ]}
      />
      <SelectField
        label="Page that links to the new ones"
        hint="Its link to the template is repeated for each new page."
        value={options.linkFrom}
        onChange={set('linkFrom')}
        choices={[['', 'None'], ...pageChoices(pages.filter(({ slug }) => slug !== template))]}
      />
      <TextField
        label={isBatch ? 'Title of the batch (optional)' : 'Title of the task (optional)'}
        placeholder="Cities of the spring campaign"
        maxLength={180}
        value={options.title}
        onInput={set('title')}
      />
      <After value={options.after} onChange={set('after')} />
      {!isBatch && <MayAsk value={options.mayAsk} onChange={set('mayAsk')} />}
      {isBatch && (
        <>
          <SelectField
            label="First pages"
            hint="The others wait until you approve them."
            value={options.canary}
            onChange={set('canary')}
            choices={canaries}
          />
          <SelectField
            label="Pages with little text of their own"
            hint="Text that neither the template nor another row’s page has."
            value={options.holdBelow}
            onChange={set('holdBelow')}
            choices={shares}
          />
        </>
      )}
    </div>
  );
}
