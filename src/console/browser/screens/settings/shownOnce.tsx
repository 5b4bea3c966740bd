import { CopyLine } from '../../ui/controls.tsx';
import { Notice } from '../../ui/states.tsx';

/** Shows a new secret, which can only be copied now. */
export const ShownOnce = ({ name, value }: { name: string; value: string }) => (
  <>
    <Notice kind="warn" icon="key">
      Copy the {name} now. It is not shown again.
    </Notice>
    <CopyLine value={value} />
  </>
);
