import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../listen.ts';
import { Button, Out, Toggle } from '../ui/controls.tsx';
import { useTyping } from './useTyping.ts';
import { createStore, useStore } from '../store.ts';

/** The device at whose window's width pages are shown. */
type Width = 'desktop' | 'phone';
const widths: Record<Width, number> = { desktop: 1280, phone: 390 };

const noWidth = { width: 'desktop' as Width, set: (_: Width): void => undefined };
const WidthContext = createContext(noWidth);

/** Gives all frames inside it the same width, which a `WidthToggle` inside it changes. */
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
 * A key for the frames of a page. It changes when somebody returns from editing the page in another
 * tab, so that the frames load again.
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
  /** null if there is no such page. */
  url: string | null;
  nothing?: string;
}

/**
 * A customer's page, scaled down. It has an opaque origin, so it can't reach the console. Its
 * scripts run only after somebody starts them.
 */
export function Frame({ caption, url, nothing = 'There is no page to show.' }: FrameProps) {
  const { width } = useContext(WidthContext);
  const pane = useRef<HTMLElement>(null);
  const isTyping = useTyping();
  const scripts = useScripts(pane, isTyping);
  const { view, style } = useScale(widths[width]);
  const isElsewhere = useIsElsewhere(url);
  const unseen = isTyping ? 'The page is shown again when you are done here.' : elsewhere;
  return (
    <figure ref={pane} class={scripts.areRunning ? 'pane running' : 'pane'}>
      <figcaption>
        <span class="wrap">{caption}</span>
        {url && !isElsewhere && <ScriptsButton caption={caption} scripts={scripts} />}
        {url && <Out href={url}>Open</Out>}
      </figcaption>
      <div ref={view} class={`view ${width}`}>
        {url && !isTyping && !isElsewhere ? (
          style && (
            <iframe
              // A new permission to run scripts only applies to a new frame.
              key={scripts.areRunning}
              title={caption}
              src={url}
              sandbox={scripts.areRunning ? 'allow-scripts' : ''}
              loading="lazy"
              referrerpolicy="no-referrer"
              style={style}
            />
          )
        ) : (
          <p class="nothing">{url ? unseen : nothing}</p>
        )}
      </div>
    </figure>
  );
}

const elsewhere =
  'The page is at another host, so it is not shown here. “Open” shows it in a tab of its own.';

/**
 * Whether the console's policy refuses to frame a page: that of a result from when the site had
 * another host.
 */
function useIsElsewhere(url: string | null): boolean {
  const [refused, setRefused] = useState<string[]>([]);
  useEffect(
    () =>
      listen(['securitypolicyviolation'], (event) => {
        const { effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent;
        const origin = originOf(blockedURI);
        if (effectiveDirective === 'frame-src' && origin !== undefined)
          setRefused((before) => [...before, origin]);
      }),
    [],
  );
  const origin = originOf(url);
  return origin !== undefined && refused.includes(origin);
}

const originOf = (url: string | null) => URL.parse(url ?? '')?.origin;

/**
 * Leads to a page at a team's own host. The console's policy allows frames of this service's pages
 * only, and such a host may forbid frames itself.
 */
export const PreviewElsewhere = ({
  caption,
  url,
  nothing = 'There is no preview: the site’s own host showed none in time.',
}: FrameProps) => (
  <figure class="pane">
    <figcaption>{caption}</figcaption>
    <p class="wrap">
      {url ? (
        <>
          <Out href={url}>{url}</Out>
          <br />
          <span class="muted small">
            It opens in a tab of its own: pages of other hosts are not shown here.
          </span>
        </>
      ) : (
        nothing
      )}
    </p>
  </figure>
);

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
 * The style that scales a frame to the width of its view; undefined until the view is drawn.
 * @param wanted the frame's own width in CSS pixels
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

/** Id of the preview whose scripts run. Scripts run in one preview at a time, at first in none. */
const running = createStore<string | undefined>(undefined);
const stop = () => running.set(undefined);

interface Scripts {
  areRunning: boolean;
  run: () => void;
  stop: () => void;
}

/**
 * Whether the scripts of a customer's page run. Such a page can take the focus at any time. So its
 * scripts stop when the focus or the pointer goes elsewhere in the console, or somebody types
 * there.
 * @param pane the element with the page's frame and its buttons
 */
function useScripts(pane: RefObject<HTMLElement | null>, isTyping: boolean): Scripts {
  const id = useId();
  const areRunning = useStore(running) === id && !isTyping;
  useLayoutEffect(() => (areRunning ? stopElsewhere(pane) : undefined), [areRunning]);
  const stopOwn = () => void (running.get() === id && stop());
  useLayoutEffect(() => (isTyping ? stopOwn() : stopOwn), [isTyping]);
  return { areRunning, run: () => running.set(id), stop };
}

/** @returns a function that stops listening */
function stopElsewhere({ current: pane }: RefObject<HTMLElement | null>): () => void {
  const onEvent = ({ target }: Event) => {
    if (!(target instanceof Node && pane?.contains(target))) stop();
  };
  return listen(['focusin', 'pointerdown'], onEvent, { capture: true });
}
