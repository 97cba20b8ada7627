/** One page of a list with page numbers. */
export interface Page<T> {
  items: T[];
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
}

export interface PageRequest {
  /** The first page is 1. */
  page: number;
  limit: number;
}

export const toPage = <T>(items: T[], total: number, { page, limit }: PageRequest): Page<T> => ({
  items,
  total,
  page,
  pageSize: limit,
  totalPages: Math.ceil(total / limit),
});
