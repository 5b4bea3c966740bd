import { SelectField } from '../ui/controls.tsx';

/** What becomes of a task's result. */
export type AfterChoice = 'preview' | 'hold' | 'publish';

export const afterFields = (after: AfterChoice) =>
  after === 'preview' ? {} : { publish: true, ...(after === 'hold' && { onWarnings: 'hold' }) };

export const After = ({ value, onChange }: { value: AfterChoice; onChange: (after: AfterChoice) => void }) => (
  <SelectField
    label="When it is done"
    value={value}
    onChange={(chosen) => onChange(chosen as AfterChoice)}
    choices={[
      ['preview', 'Show me previews. I publish'],
      ['hold', 'Publish, unless something is to be checked'],
      ['publish', 'Publish in any case'],
    ]}
  />
);
