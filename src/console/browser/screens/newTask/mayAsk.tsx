interface MayAskProps {
  value: boolean;
  onChange: (mayAsk: boolean) => void;
}

/** Asks whether a language model may ask people questions. The embedded rules never do. */
export const MayAsk = ({ value, onChange }: MayAskProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>A language model may ask me questions that only I can answer</span>
  </label>
);
