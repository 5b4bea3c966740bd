import type { ComponentChildren } from 'preact';

interface SkipLinkProps {
  /** The id of an element with a `tabIndex`, which gets the focus. */
  to: string;
  children: ComponentChildren;
}

/** A link that only keyboard users see, and that passes over what is between it and its target. */
export const SkipLink = ({ to, children }: SkipLinkProps) => (
  <a
    class="skip"
    href={`#${to}`}
    onClick={(event) => {
      event.preventDefault();
      document.getElementById(to)?.focus();
    }}
  >
    {children}
  </a>
);
