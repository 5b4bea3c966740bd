import type { TaskRequestResponse } from '../../../../contract/responses.ts';
import type { AfterChoice } from '../../table/tableDraft.ts';
import { SelectField } from '../../ui/controls.tsx';

export const afterFields = (after: AfterChoice) =>
  after === 'preview' ? {} : { publish: true, ...(after === 'hold' && { onWarnings: 'hold' }) };

/** The choice that a request was made with. */
export const afterChoiceOf = ({
  publish,
  onWarnings,
}: Pick<TaskRequestResponse, 'publish' | 'onWarnings'>): AfterChoice =>
  publish ? onWarnings : 'preview';

interface AfterProps {
  value: AfterChoice;
  onChange: (after: AfterChoice) => void;
}

export const AfterField = (props: AfterProps) => (
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
