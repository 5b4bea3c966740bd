import { useEffect, useRef, useState } from 'preact/hooks';
import { Out, Toggle } from '../ui/controls.tsx';

/** How wide a window pages are shown in. */
export type Width = 'desktop' | 'phone';
const widths: Record<Width, number> = { desktop: 1280, phone: 390 };

export const WidthToggle = ({ width, onWidth }: { width: Width; onWidth: (width: Width) => void }) => (
  <Toggle
    label="Width of the pages"
    value={width}
    onChange={onWidth}
    choices={[
      { value: 'desktop', text: 'Desktop', icon: 'desktop' },
      { value: 'phone', text: 'Phone', icon: 'phone' },
    ]}
  />
);

/** A key for frames of a page that is being edited in another tab: new whenever somebody comes back from there. */
export function useEdits(): { edits: number; onEdit: () => void } {
  const [edits, setEdits] = useState(0);
  const isEdited = useRef(false);
  useEffect(() => {
    const comeBack = () => isEdited.current && !document.hidden && setEdits((count) => count + 1);
    document.addEventListener('visibilitychange', comeBack);
    return () => document.removeEventListener('visibilitychange', comeBack);
  }, []);
  return { edits, onEdit: () => void (isEdited.current = true) };
}

interface FrameProps {
  caption: string;
  /** Null: there is no such page. */
  url: string | null;
  width: Width;
  nothing?: string;
}

/** A customer's page, made smaller. It has an opaque origin, and no way to this page. */
export function Frame({ caption, url, width, nothing = 'There is no page to show.' }: FrameProps) {
  const view = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = view;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: current.clientWidth, height: current.clientHeight }));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const wanted = widths[width];
  const scale = Math.min(1, size.width / wanted);
  const style = {
    width: `${wanted}px`,
    height: `${Math.ceil(size.height / (scale || 1))}px`,
    left: `${Math.max(0, (size.width - wanted * scale) / 2)}px`,
    transform: `scale(${scale})`,
  };
  return (
    <figure class="pane">
      <figcaption>
        <span class="wrap">{caption}</span>
        {url && <Out href={url}>Open</Out>}
      </figcaption>
      <div ref={view} class={`view ${width}`}>
        {url ? (
          size.width > 0 && (
            <iframe
              title={caption}
              src={url}
              sandbox="allow-scripts"
              loading="lazy"
              referrerpolicy="no-referrer"
              style={style}
            />
          )
        ) : (
          <p class="nothing">{nothing}</p>
        )}
      </div>
    </figure>
  );
}
