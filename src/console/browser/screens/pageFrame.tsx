import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../listen.ts';
import { Button, Out, Toggle } from '../ui/controls.tsx';
import { type Scripts, useScripts } from './useScripts.ts';
import { useTyping } from './useTyping.ts';

/** The width of the window in which pages are shown. */
type Width = 'desktop' | 'phone';
const widths: Record<Width, number> = { desktop: 1280, phone: 390 };

const noWidth = { width: 'desktop' as Width, set: (_: Width): void => undefined };
const WidthContext = createContext(noWidth);

/** The frames in it have one width, which a `WidthToggle` in it changes. */
export function OneWidth({ first = 'desktop', children }: OneWidthProps) {
  const [width, set] = useState<Width>(first);
  return <WidthContext.Provider value={{ width, set }}>{children}</WidthContext.Provider>;
}

interface OneWidthProps {
  first?: Width;
  children: ComponentChildren;
}

export function WidthToggle() {
  const { width, set } = useContext(WidthContext);
  return (
    <Toggle
      label="Width of the pages"
      value={width}
      onChange={set}
      choices={[
        ['desktop', 'Desktop', 'desktop'],
        ['phone', 'Phone', 'phone'],
      ]}
    />
  );
}

/**
 * A key for the frames of a page: a new one, so that they load again, whenever somebody comes back
 * from editing the page in another tab.
 */
export function useEdits(): { edits: number; onEdit: () => void } {
  const [edits, setEdits] = useState(0);
  const isEdited = useRef(false);
  useEffect(() => {
    const comeBack = () => isEdited.current && !document.hidden && setEdits((count) => count + 1);
    return listen(['visibilitychange'], comeBack);
  }, []);
  return { edits, onEdit: () => void (isEdited.current = true) };
}

interface FrameProps {
  caption: string;
  /** null: there is no such page. */
  url: string | null;
  nothing?: string;
}

/**
 * A customer's page, made smaller. It has an opaque origin, and no way to this page. It runs no
 * scripts until somebody asks for that.
 */
export function Frame({ caption, url, nothing = 'There is no page to show.' }: FrameProps) {
  const { width } = useContext(WidthContext);
  const pane = useRef<HTMLElement>(null);
  const isTyping = useTyping();
  const scripts = useScripts(pane, isTyping);
  const { view, style } = useScale(widths[width]);
  return (
    <figure ref={pane} class={scripts.areRunning ? 'pane running' : 'pane'}>
      <figcaption>
        <span class="wrap">{caption}</span>
        {url && <ScriptsButton caption={caption} scripts={scripts} />}
        {url && <Out href={url}>Open</Out>}
      </figcaption>
      <div ref={view} class={`view ${width}`}>
        {url && !isTyping ? (
          style && (
            <iframe
              key={scripts.areRunning} // what a frame may do counts when it is made
              title={caption}
              src={url}
              sandbox={scripts.areRunning ? 'allow-scripts' : ''}
              loading="lazy"
              referrerpolicy="no-referrer"
              style={style}
            />
          )
        ) : (
          <p class="nothing">{url ? 'The page is shown again when you are done here.' : nothing}</p>
        )}
      </div>
    </figure>
  );
}

function ScriptsButton({ caption, scripts }: { caption: string; scripts: Scripts }) {
  const { areRunning, run, stop } = scripts;
  const text = areRunning ? 'Stop scripts' : 'Run scripts';
  return (
    <span class="scripts">
      <span class={areRunning ? 'tag warn' : 'small'}>
        {areRunning ? 'Scripts run' : 'Scripts are off'}
      </span>
      <Button little look="ghost" label={`${text}: ${caption}`} onClick={areRunning ? stop : run}>
        {text}
      </Button>
    </span>
  );
}

/**
 * What makes a frame of a width in pixels as wide as the view that it stands in, undefined before
 * that is drawn.
 */
function useScale(wanted: number) {
  const view = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = view;
    if (!current) return undefined;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, size.width / wanted);
  const style = {
    width: `${wanted}px`,
    height: `${Math.ceil(size.height / (scale || 1))}px`,
    left: `${Math.max(0, (size.width - wanted * scale) / 2)}px`,
    transform: `scale(${scale})`,
  };
  return { view, style: size.width > 0 ? style : undefined };
}
