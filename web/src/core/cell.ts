/** A value that tells who listens when it changes. */
export interface Cell<T> {
  get(): T;
  set(value: T): void;
  /** Calls `listener` now and at every change; returns how to stop. */
  watch(listener: (value: T) => void): () => void;
  /** Calls `listener` at every change from now on; returns how to stop. */
  on(listener: (value: T) => void): () => void;
}

/** Makes a cell; equal values (by `Object.is`) are no change. */
export function cell<T>(first: T): Cell<T> {
  let current = first;
  const listeners = new Set<(value: T) => void>();
  const on = (listener: (value: T) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener(value);
    },
    on,
    watch(listener) {
      listener(current);
      return on(listener);
    },
  };
}

/** A cell whose value is kept in the browser between visits. */
export function keptCell<T>(key: string, first: T): Cell<T> {
  const kept = cell(readKept(key, first));
  kept.on((value) => {
    localStorage.setItem(`armdyn.${key}`, JSON.stringify(value));
  });
  return kept;
}

function readKept<T>(key: string, first: T): T {
  const text = localStorage.getItem(`armdyn.${key}`);
  if (text === null) return first;
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    if (error instanceof SyntaxError) return first; // written by something else: begin anew
    throw error;
  }
}
