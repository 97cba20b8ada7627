import { useSearchParams } from 'react-router';

type Changes = Readonly<Record<string, string | null | undefined>>;

/**
 * The filters of a list, kept in the address, so that a link shows the same list. Changing one begins at the list's
 * beginning: `page` and `cursor` go.
 */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const change = (changes: Changes, { replace = false } = {}) => {
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of ['page', 'cursor']) after.delete(name);
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
    /** For the API, where a filter that is not set is left out. */
    optional: (name: string): string | undefined => params.get(name) || undefined,
    isFiltered: [...params.keys()].some((name) => !['page', 'cursor'].includes(name)),
    change,
    clear: () => {
      setParams({});
    },
  };
}

export type Filters = ReturnType<typeof useFilters>;
