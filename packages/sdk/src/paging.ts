/** The largest page of every list. */
export const LARGEST_PAGE = 100;

interface Page<Item> {
  items: Item[];
  totalPages: number;
}

/** The rows of a list with numbered pages. The next page is fetched when the loop reaches it. */
export async function* rowsOf<Item>(
  load: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1; ; page++) {
    const { items, totalPages } = await load(page);
    yield* items;
    if (page >= totalPages) return;
  }
}

/** The parameters of a path with an id. */
export const at = (id: string) => ({ params: { path: { id } } });
