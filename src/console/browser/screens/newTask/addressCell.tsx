import type { DraftLine } from '../../table/draftLines.ts';
import type { DraftRow } from '../../table/tableColumns.ts';

interface AddressCellProps {
  line: DraftLine;
  isBad: boolean;
  set: (fields: Partial<DraftRow>) => void;
}

/**
 * The cell with the address of a row's new page, such as `/locations/lisbon`. A person can type
 * another one, which stays even if the columns or the template change.
 */
export function AddressCell({
  line: { row, address, problems },
  isBad,
  set: setFields,
}: AddressCellProps) {
  const isTyped = row.typed !== undefined;
  // Shows a typed address as it will be used.
  const normalizeAddress = () =>
    void (isTyped && problems.length === 0 && setFields({ typed: address.slug }));
  return (
    <>
      <input
        aria-label={`Address of row ${row.id}`}
        value={row.typed ?? address.slug}
        spellcheck={false}
        aria-invalid={isBad || undefined}
        onInput={(event) => setFields({ typed: event.currentTarget.value })}
        onChange={normalizeAddress}
      />
      {address.remark && <span class="muted small">{address.remark}</span>}
      {isTyped && (
        <button
          type="button"
          class="link small"
          aria-label={`Use the suggested address for row ${row.id}`}
          onClick={() => setFields({ typed: undefined })}
        >
          Use the suggested address
        </button>
      )}
    </>
  );
}
