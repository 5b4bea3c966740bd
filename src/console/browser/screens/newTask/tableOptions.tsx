import type { SitePageResponse } from '../../../../contract/responses.ts';
import type { DraftOptions } from '../../table/tableDraft.ts';
import { type SelectChoice, SelectField, TextField } from '../../ui/controls.tsx';
import { AfterField } from './afterField.tsx';
import { MayAsk } from './mayAsk.tsx';

interface TableOptionsProps {
  options: DraftOptions;
  pages: SitePageResponse[];
  template: string;
  /** The template's subject, such as "Austin". */
  about: string;
  /** Whether a batch creates the pages. */
  isBatch: boolean;
  onChange: (options: DraftOptions) => void;
}

export const pageChoices = (pages: SitePageResponse[]) =>
  pages.map(({ slug, title }): SelectChoice => [slug, `${title} (${slug})`]);

const canaryChoices: SelectChoice[] = [
  ['', 'Create all at once'],
  ['5', 'Create 5 first, then ask me'],
  ['10', 'Create 10 first, then ask me'],
];

const ownShareChoices: SelectChoice[] = [
  ['', 'Treat them like the others'],
  ['0.1', 'Hold those with less than 10 %'],
  ['0.2', 'Hold those with less than 20 %'],
  ['0.4', 'Hold those with less than 40 %'],
];

/** The options that apply to all rows. */
export function TableOptions({
  options,
  pages,
  template,
  about,
  isBatch,
  onChange,
}: TableOptionsProps) {
  const setOption =
    <Name extends keyof DraftOptions>(name: Name) =>
    (value: DraftOptions[Name]) =>
      onChange({ ...options, [name]: value });
  return (
    <div class="panes">
      <SelectField
        label="Facts missing from your table"
        hint="Prices, quotes, addresses and the like."
        value={options.facts}
        onChange={setOption('facts')}
        choices={[
          ['keep', `Keep ${about}’s and list them`],
          ['drop', 'Remove them'],
        ]}
      />
      <SelectField
        label="Page that links to the new ones"
        hint="Its link to the template is repeated for each new page."
        value={options.linkFrom}
        onChange={setOption('linkFrom')}
        choices={[['', 'None'], ...pageChoices(pages.filter(({ slug }) => slug !== template))]}
      />
      <TextField
        label={isBatch ? 'Title of the batch (optional)' : 'Title of the task (optional)'}
        placeholder="Cities of the spring campaign"
        maxLength={180}
        value={options.title}
        onInput={setOption('title')}
      />
      <AfterField value={options.after} onChange={setOption('after')} />
      {!isBatch && <MayAsk value={options.mayAsk} onChange={setOption('mayAsk')} />}
      {isBatch && (
        <>
          <SelectField
            label="First pages"
            hint="The others wait until you approve them."
            value={options.canary}
            onChange={setOption('canary')}
            choices={canaryChoices}
          />
          <SelectField
            label="Pages with little text of their own"
            hint="Their own text is neither in the template nor on another row’s page."
            value={options.holdBelow}
            onChange={setOption('holdBelow')}
            choices={ownShareChoices}
          />
        </>
      )}
    </div>
  );
}
