import { useSearchParams } from 'react-router';

type Changes = Readonly<Record<string, string | null | undefined>>;

/** Parameters that select a page of a list instead of filtering it. */
const POSITION = ['page', 'cursor'];

const isCounted = (name: string): boolean => name !== 'search' && !POSITION.includes(name);

/**
 * The filters of a list, kept as query parameters so that a link shows the same list. Changing a filter returns to the
 * first page: `page` and `cursor` are removed.
 */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const change = (changes: Changes, { replace = false } = {}) => {
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of POSITION) after.delete(name);
        for (const [name, value] of Object.entries(changes)) {
          if (value) after.set(name, value);
          else after.delete(name);
        }
        return after;
      },
      { replace },
    );
  };
  return {
    get: (name: string): string => params.get(name) ?? '',
    /** Returns undefined for an unset filter, as API queries need it. */
    optional: (name: string): string | undefined => params.get(name) || undefined,
    isFiltered: [...params.keys()].some((name) => !POSITION.includes(name)),
    /** The number of filters that are set besides the search; the two ends of a range of days are one. */
    count: new Set([...params.keys()].filter(isCounted).map((name) => (name === 'to' ? 'from' : name))).size,
    change,
    clear: () => {
      setParams({});
    },
  };
}

export type Filters = ReturnType<typeof useFilters>;
