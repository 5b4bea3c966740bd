import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../listen.ts';

interface MenuProps {
  /** The content of the button. */
  button: ComponentChildren;
  label: string;
  class?: string;
  /** Where the list opens. Absent: below the button. */
  side?: 'up';
  children: ComponentChildren;
}

/**
 * A button that opens a list of links and buttons. Escape, a choice or a click elsewhere closes it.
 */
export function Menu({ button, label, side, children, ...props }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const menuRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !menuRef.current?.contains(event.target)) setOpen(false);
    };
    return listen(['pointerdown', 'focusin'], closeOutside);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    setOpen(false);
    menuRef.current?.querySelector('button')?.focus();
  };
  return (
    <div ref={menuRef} class={`menu ${props.class ?? ''}`} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="btn"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div class={`menu-list ${side ?? ''}`} onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  );
}
