import { useState } from 'preact/hooks';
import { contextPlaces } from '../../../../contract/contextPlaces.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { type SelectChoice, SelectField } from '../../ui/controls.tsx';
import { capitalize } from '../../words/noteWords.ts';

/** Places of a page, by the columns whose values get them. */
export type ColumnPlaces = Record<string, string>;

interface PlaceDialogProps {
  /** The text of the note. */
  noteText: string;
  /** The columns whose values the pages do not use. */
  columns: string[];
  /** The pages that are changed. */
  where?: { value: string; choices: SelectChoice[]; onChange: (value: string) => void };
  onPlace: (change: { places: ColumnPlaces }) => Promise<unknown>;
  close: () => void;
}

/** Asks which place of the page each unused column of a table fills. */
export function PlaceDialog({ noteText, columns, where, onPlace, close }: PlaceDialogProps) {
  const [places, setPlaces] = useState(new Map<string, string>());
  const chosenPlaces = [...places].filter(([, place]) => place !== '');
  const isFree = (column: string, place: string) =>
    chosenPlaces.every(([otherColumn, other]) => other !== place || otherColumn === column);
  return (
    <Dialog
      title="Use it as …"
      submit="Use"
      disabled={chosenPlaces.length === 0}
      onClose={close}
      onSubmit={() => onPlace({ places: Object.fromEntries(chosenPlaces) })}
    >
      <p>{noteText}</p>
      {columns.map((column) => (
        <SelectField
          key={column}
          label={capitalize(column)}
          value={places.get(column) ?? ''}
          onChange={(place) => setPlaces(new Map(places).set(column, place))}
          choices={[
            ['', 'Not used'],
            ...contextPlaces
              .filter((place) => isFree(column, place))
              .map((place): SelectChoice => [place, place]),
          ]}
        />
      ))}
      {where && where.choices.length > 1 && <SelectField label="Where" {...where} />}
      <p class="muted">
        The preview then shows it. You can undo this under Versions. Nothing goes live.
      </p>
    </Dialog>
  );
}
