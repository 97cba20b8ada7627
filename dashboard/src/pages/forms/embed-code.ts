import { SERVICE_URL } from '../../app/service-url';

export const pageOf = (formId: string): string => `${SERVICE_URL}/f/${formId}`;

/** The HTML that shows the form in a page. */
export const embedCode = (formId: string): string => `<script src="${pageOf(formId)}/embed.js" async></script>`;
