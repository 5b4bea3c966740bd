import type { SitePage } from '../../../contract/answers.ts';
import type { Options } from '../draft.ts';
import { type Choice, SelectField, TextField } from '../ui/controls.tsx';
import { After } from './afterChoice.tsx';

interface OptionsProps {
  options: Options;
  pages: SitePage[];
  template: string;
  /** The template's subject, such as "Austin". */
  about: string;
  onChange: (options: Options) => void;
}

export const pageChoices = (pages: SitePage[]) =>
  pages.map(({ slug, title }): Choice => [slug, `${title} (${slug})`]);

/** The options that apply to all rows. */
export function TableOptions({ options, pages, template, about, onChange }: OptionsProps) {
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
        label="Title of the task (optional)"
        placeholder="Cities of the spring campaign"
        maxLength={180}
        value={options.title}
        onInput={set('title')}
      />
      <After value={options.after} onChange={set('after')} />
    </div>
  );
}
