import { countNoun } from '../../../../browser/counts.ts';
import { Icon } from '../../ui/icons.tsx';

/** Folded: the changes that a request asked for, each as a text and the number of its pages. */
export const RequestedChanges = ({ changes }: { changes: { text: string; pages?: number }[] }) =>
  changes.length === 0 ? null : (
    <details class="settled">
      <summary>{countNoun(changes.length, 'change')} as asked</summary>
      <ul class="notes" aria-label="Changes as asked">
        {changes.map(({ text, pages }) => (
          <li key={text}>
            <Icon name="check" size={16} />
            <span>
              {text} {pages !== undefined && <span class="muted">{countNoun(pages, 'page')}</span>}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
