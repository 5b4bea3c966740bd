import type { TaskRequestResponse } from '../../../../contract/responses.ts';
import type { AfterChoice } from '../../table/tableDraft.ts';
import { SelectField } from '../../ui/controls.tsx';

/** The fields of a request for a choice: whether to publish, and what to do about notes. */
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
    label="When the pages are ready"
    {...props}
    choices={[
      ['preview', 'Show the previews, and let me publish'],
      ['hold', 'Publish if there is nothing to check'],
      ['publish', 'Always publish'],
    ]}
  />
);
