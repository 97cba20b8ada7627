import { CreateAccountsAndMessages1795219200000 } from './1795219200000-create-accounts-and-messages.js';
import { IndexMessages1795240800000 } from './1795240800000-index-messages.js';

/** In the order in which they run. A migration that has landed is never edited. */
export const MIGRATIONS = [CreateAccountsAndMessages1795219200000, IndexMessages1795240800000];
