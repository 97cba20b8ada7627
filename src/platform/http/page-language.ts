import type { Request } from 'express';

import { PAGE_LANGUAGES, type PageLanguage } from '../../shared/page-language.js';

/** The language of the browser, or English. A page that depends on it varies with `Accept-Language`. */
export const languageOf = (request: Request): PageLanguage =>
  PAGE_LANGUAGES.find((language) => language === request.acceptsLanguages(...PAGE_LANGUAGES)) ?? 'en';
