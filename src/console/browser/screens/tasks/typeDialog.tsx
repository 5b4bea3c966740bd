import { useState } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { type SelectChoice, SelectField, TextField } from '../../ui/controls.tsx';

/** What a person typed in place of a value that a note names. */
export interface TypedValue {
  text: string;
  /** Absent if the note names only one. */
  value?: string;
}

interface TypeDialogProps {
  /** The text of the note. */
  noteText: string;
  /** What the note names, such as prices of the template. */
  values: string[];
  /** The pages that get the text. */
  where?: { value: string; choices: SelectChoice[]; onChange: (value: string) => void };
  onType: (typed: TypedValue) => Promise<unknown>;
  close: () => void;
}

/** Asks for the text that replaces what a note names, on all pages that have the note. */
export function TypeDialog({ noteText, values, where, onType, close }: TypeDialogProps) {
  const [text, setText] = useState('');
  const [value, setValue] = useState(values[0] ?? '');
  const isOneOfSeveral = values.length > 1;
  const submit = () => onType({ text: text.trim(), ...(isOneOfSeveral && { value }) });
  return (
    <Dialog
      title="Type one for all"
      submit="Replace"
      disabled={text.trim() === ''}
      onClose={close}
      onSubmit={submit}
    >
      <p>{noteText}</p>
      {isOneOfSeveral && (
        <SelectField
          label="Replace"
          value={value}
          onChange={setValue}
          choices={values.map((choice): SelectChoice => [choice, choice])}
        />
      )}
      <TextField
        label={isOneOfSeveral ? 'New text' : `New text instead of “${value}”`}
        value={text}
        maxLength={500}
        onInput={setText}
      />
      {where && where.choices.length > 1 && <SelectField label="Where" {...where} />}
      <p class="muted">
        The preview then shows it. You can undo this under Versions. Nothing goes live.
      </p>
    </Dialog>
  );
}
