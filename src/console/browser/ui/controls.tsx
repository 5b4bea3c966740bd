import { passwordLength } from '../../../contract/passwordLength.ts';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { errorText } from '../../../browser/sendRequest.ts';
import { Icon, type IconName } from './icons.tsx';
import { toast } from './toasts.tsx';

type ButtonLook = 'primary' | 'danger' | 'danger primary' | 'ghost' | '';

interface ButtonProps {
  children?: ComponentChildren;
  look?: ButtonLook;
  icon?: IconName;
  /** Read by screen readers if the button has no text. */
  label?: string;
  little?: boolean;
  wide?: boolean;
  disabled?: boolean;
  busy?: boolean;
  submit?: boolean;
  /** The button is busy until a returned promise settles. A failure is shown in a toast. */
  onClick?: (() => unknown) | undefined;
}

const buttonClasses = ({ look = '', little, wide, children }: ButtonProps) =>
  ['btn', look, little && 'little', wide && 'wide', children === undefined && 'icon']
    .filter(Boolean)
    .join(' ');

/** A button. It is busy while its action runs, and shows the action's failure in a toast. */
export function Button(props: ButtonProps): JSX.Element {
  const { children, icon, label, disabled, submit, onClick } = props;
  const [isRunning, setRunning] = useState(false);
  const isBusy = props.busy === true || isRunning;
  const runAction = async () => {
    const result = isBusy ? undefined : onClick?.();
    if (!(result instanceof Promise)) return;
    setRunning(true);
    await result.catch((error: unknown) => toast(errorText(error), 'bad'));
    setRunning(false);
  };
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={buttonClasses(props)}
      disabled={disabled}
      aria-busy={isBusy}
      aria-label={label}
      title={children === undefined ? label : undefined}
      onClick={submit && !onClick ? undefined : () => void runAction()}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

/** A link that looks like a button. Links outside of the console open in a new tab. */
export function ButtonLink({ href, ...props }: ButtonProps & { href: string }): JSX.Element {
  const isOutside = !href.startsWith('/') || href.startsWith('/docs') || href.startsWith('/edit/');
  return (
    <a
      class={buttonClasses(props)}
      href={href}
      aria-label={props.label}
      onClick={() => void props.onClick?.()}
      {...(isOutside && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {props.icon && <Icon name={props.icon} size={16} />}
      {props.children}
    </a>
  );
}

/** A link to a page outside the console, which opens in a new tab. */
export function OutsideLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" class="over">
      {children}
    </a>
  );
}

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  /** Gets the attributes that connect an input to its label and hint. */
  children: (bound: FieldAttributes) => ComponentChildren;
}

interface FieldAttributes {
  id: string;
  'aria-describedby'?: string;
}

export function Field({ label, hint, children }: FieldProps) {
  const fieldId = useId();
  return (
    <div class="field">
      <label for={fieldId}>{label}</label>
      {children({ id: fieldId, ...(hint && { 'aria-describedby': `${fieldId}-about` }) })}
      {hint && (
        <span id={`${fieldId}-about`} class="hint">
          {hint}
        </span>
      )}
    </div>
  );
}

interface InputProps {
  type?: 'text' | 'email' | 'password' | 'url';
  autoComplete?: 'off' | 'name' | 'organization' | 'username' | 'current-password' | 'new-password';
  autoFocus?: boolean;
  readOnly?: boolean;
  placeholder?: string;
  spellcheck?: boolean;
  maxLength?: number;
}

type TextFieldProps = InputProps &
  Omit<FieldProps, 'children'> & { value: string; onInput: (value: string) => void };

/** A labelled input for one line. */
export const TextField = ({ label, hint, onInput, ...inputProps }: TextFieldProps) => (
  <Field label={label} hint={hint}>
    {(fieldAttributes) => (
      <input
        {...(inputProps as object)}
        {...fieldAttributes}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </Field>
);

/** A labelled input for several lines. */
export const TextArea = ({ label, hint, onInput, value, placeholder }: TextFieldProps) => (
  <Field label={label} hint={hint}>
    {(fieldAttributes) => (
      <textarea
        {...fieldAttributes}
        value={value}
        placeholder={placeholder ?? ''}
        spellcheck={false}
        autoComplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </Field>
);

type OwnTextFieldProps = Partial<TextFieldProps> & Pick<TextFieldProps, 'value' | 'onInput'>;

export const EmailField = (props: OwnTextFieldProps) => (
  <TextField label="E-mail" type="email" autoComplete="username" {...props} />
);

export const NewPasswordField = (props: OwnTextFieldProps) => (
  <TextField
    label="Password"
    type="password"
    autoComplete="new-password"
    hint={`${passwordLength.least} characters or more. Several words are fine.`}
    {...props}
  />
);

export type SelectChoice<T extends string = string> = [value: T, label: string, icon?: IconName];

interface ChoiceProps<T extends string> {
  value: T;
  /** Choices that are `false` are not offered. */
  choices: (SelectChoice<T> | false)[];
  onChange: (value: T) => void;
}

const offeredChoices = <T extends string>(choices: (SelectChoice<T> | false)[]) =>
  choices.filter((choice) => choice !== false);

export const SelectField = <T extends string>({
  label,
  hint,
  ...selectProps
}: Omit<FieldProps, 'children'> & ChoiceProps<T>) => (
  <Field label={label} hint={hint}>
    {(fieldAttributes) => <Select {...fieldAttributes} {...selectProps} />}
  </Field>
);

export const Select = <T extends string>({
  value,
  choices,
  onChange,
  ...selectAttributes
}: Partial<FieldAttributes> & ChoiceProps<T> & { 'aria-label'?: string }) => (
  <select
    {...selectAttributes}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value as T)}
  >
    {offeredChoices(choices).map(([choiceValue, choiceText]) => (
      <option key={choiceValue} value={choiceValue} selected={choiceValue === value}>
        {choiceText}
      </option>
    ))}
  </select>
);

interface CheckFieldProps {
  label: string;
  checked: boolean;
  onChange: (isChecked: boolean) => void;
}

export const CheckField = ({ label, checked, onChange }: CheckFieldProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>{label}</span>
  </label>
);

/** A few choices as buttons, one of which is chosen. */
export const Toggle = <T extends string>({
  label,
  value,
  choices,
  onChange,
}: ChoiceProps<T> & { label: string }) => (
  <div class="choice" role="group" aria-label={label}>
    {offeredChoices(choices).map(([choiceValue, choiceText, icon]) => (
      <button
        key={choiceValue}
        type="button"
        aria-pressed={choiceValue === value}
        onClick={() => onChange(choiceValue)}
      >
        {icon && <Icon name={icon} size={15} />}
        {choiceText}
      </button>
    ))}
  </div>
);

/** A button that copies a text, and says so. */
export function CopyButton({ text, children = 'Copy' }: { text: string; children?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copyText = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button little icon={isCopied ? 'check' : 'copy'} onClick={copyText}>
      {isCopied ? 'Copied' : children}
    </Button>
  );
}

/** A value in a box, with a button that copies it. */
export const CopyLine = ({ value }: { value: string }) => (
  <div class="secret">
    <code>{value}</code>
    <CopyButton text={value} />
  </div>
);

export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <div class="code">
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <CopyButton text={text} />
  </div>
);
