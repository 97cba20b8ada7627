/** The account of the demo. */
export const ACCOUNT_NAME = 'Northwind Coffee';
export const SENDER = 'hello@northwind.example.com';
/** The sender of the examples of the API's documentation. */
export const EXAMPLE_SENDER = 'hello@example.com';
export const FROM_NAME = 'Northwind Coffee';
export const BRAND_COLOR = '#8a4b1f';
/** Caps that nobody reaches while trying. */
export const DAILY_CAP = 5_000;
