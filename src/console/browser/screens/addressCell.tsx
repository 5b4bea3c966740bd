import type { Line } from '../tableLines.ts';
import type { Row } from '../table.ts';

interface AddressCellProps {
  line: Line;
  isBad: boolean;
  set: (fields: Partial<Row>) => void;
}

/**
 * A row's address, which a person can type over. A typed address stays, even if the columns or the
 * template change.
 */
export function AddressCell({ line: { row, address, problems }, isBad, set }: AddressCellProps) {
  const isTyped = row.typed !== undefined;
  // Shows a typed address as it will be used.
  const onDone = () => void (isTyped && problems.length === 0 && set({ typed: address.slug }));
  return (
    <>
      <input
        aria-label={`Address of row ${row.id}`}
        value={row.typed ?? address.slug}
        spellcheck={false}
        aria-invalid={isBad || undefined}
        onInput={(event) => set({ typed: event.currentTarget.value })}
        onChange={onDone}
      />
      {address.remark && <span class="muted small">{address.remark}</span>}
      {isTyped && (
        <button
          type="button"
          class="link small"
          aria-label={`Use the suggested one for row ${row.id}`}
          onClick={() => set({ typed: undefined })}
        >
          Use the suggested one
        </button>
      )}
    </>
  );
}
