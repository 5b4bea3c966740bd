import type { ComponentChildren } from 'preact';

/** A part of the settings: what it is, and what can be done there. */
export const Card = ({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}) => (
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
