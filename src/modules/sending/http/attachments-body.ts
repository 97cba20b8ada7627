/** Where the bodies of sends have files in base64. */
export const ATTACHMENTS_PATH = ['attachments', null, 'content'] as const;
