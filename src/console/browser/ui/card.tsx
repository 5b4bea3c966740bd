import type { ComponentChildren } from 'preact';

interface CardProps {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

/** A section of a screen, with a title and actions. */
export const Card = ({ title, lead, actions, children }: CardProps) => (
  <section class="card" aria-label={title}>
    <div class={children ? 'card-head' : 'card-head alone'}>
      <div class="grow">
        <h2>{title}</h2>
        {lead && <p class="muted small">{lead}</p>}
      </div>
      {actions && <div class="row">{actions}</div>}
    </div>
    {children}
  </section>
);

interface CardFormProps {
  /** A remark beside the buttons. */
  foot: ComponentChildren;
  actions: ComponentChildren;
  children: ComponentChildren;
}

/** The content of a card that is a form: fields, and buttons below them. */
export const CardForm = ({ foot, actions, children }: CardFormProps) => (
  <>
    <div class="card-body stack">{children}</div>
    <div class="card-foot">
      <span>{foot}</span>
      {actions}
    </div>
  </>
);
