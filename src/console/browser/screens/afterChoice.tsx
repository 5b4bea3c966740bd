import type { TaskRequest } from '../../../contract/answers.ts';
import type { AfterChoice } from '../draft.ts';
import { SelectField } from '../ui/controls.tsx';

export const afterFields = (after: AfterChoice) =>
  after === 'preview' ? {} : { publish: true, ...(after === 'hold' && { onWarnings: 'hold' }) };

/** The choice that a request was made with. */
export const afterOf = ({
  publish,
  onWarnings,
}: Pick<TaskRequest, 'publish' | 'onWarnings'>): AfterChoice => (publish ? onWarnings : 'preview');

interface AfterProps {
  value: AfterChoice;
  onChange: (after: AfterChoice) => void;
}

export const After = (props: AfterProps) => (
  <SelectField
    label="When it is done"
    {...props}
    choices={[
      ['preview', 'Show me previews. I publish'],
      ['hold', 'Publish, unless something is to be checked'],
      ['publish', 'Publish in any case'],
    ]}
  />
);
