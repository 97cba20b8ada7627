/** Parts of a mail, as HTML with placeholders. */
interface MailParts {
  /** Shown by mail clients beside the subject. */
  preview: string;
  content: string;
  footer: string;
}

/**
 * The frame of the shop's mails. Tables hold the layout, because Outlook has no other; the width adapts to phones. If a
 * client has a dark color scheme (`prefers-color-scheme`, or `data-ogsc` in Outlook), the colors are the mail's own; if
 * it inverts colors, both backgrounds and texts are set, so that they stay readable.
 */
export const layout = ({ preview, content, footer }: MailParts): string => `<!doctype html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<title>Northwind Coffee</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { color: #8a4b1f; }
@media (max-width: 620px) {
  .card { width: 100% !important; border-radius: 0 !important; }
  .pad { padding-left: 24px !important; padding-right: 24px !important; }
  .half { display: block !important; width: 100% !important; padding: 0 0 16px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: #171310 !important; }
  .card { background: #231d19 !important; }
  .text, .text td, .text p, .text h1, .text h2 { color: #f2e9e1 !important; }
  .muted { color: #b9aaa0 !important; }
  .line { border-color: #43372f !important; }
  .tile { background: #2e2621 !important; }
  .link { color: #e8b487 !important; }
}
[data-ogsc] .text, [data-ogsc] .text td { color: #f2e9e1 !important; }
[data-ogsc] .muted { color: #b9aaa0 !important; }
[data-ogsb] .card { background: #231d19 !important; }
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3ece6;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#f3ece6">${preview}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3ece6">
<tr><td align="center" style="padding:24px 0">
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0"
 style="width:600px;max-width:100%;background:#ffffff;border-radius:12px;overflow:hidden">
<tr><td class="pad" style="background:#4a2c1a;padding:20px 40px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
<td style="font:700 20px/1.3 Georgia,'Times New Roman',serif;color:#fff8f0">Northwind Coffee</td>
<td align="right" style="font:13px/1.3 Helvetica,Arial,sans-serif;color:#e6cdb8">Roasted to order</td>
</tr></table>
</td></tr>
<tr><td class="pad text" style="padding:36px 40px 40px;font:16px/1.55 Helvetica,Arial,sans-serif;color:#33261e">
${content}
</td></tr>
</table>
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0"
 style="width:600px;max-width:100%;background:transparent">
<tr><td class="pad muted" align="center" style="padding:20px 40px;font:13px/1.6 Helvetica,Arial,sans-serif;color:#6f5f54">
Northwind Coffee, 12 Harbour Street, Northwind<br>
${footer}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`;

export const heading = (text: string): string =>
  `<h1 style="margin:0 0 12px;font:700 28px/1.25 Georgia,'Times New Roman',serif;color:#33261e">${text}</h1>`;

/** Padding instead of a border would not be clickable in Outlook. */
export const button = (url: string, text: string): string => `
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0"><tr>
<td style="background:#a3521d;border-radius:8px"><a href="${url}" style="display:inline-block;padding:13px 26px;
font:700 16px/1.2 Helvetica,Arial,sans-serif;color:#ffffff;text-decoration:none;border:1px solid #a3521d;
border-radius:8px">${text}</a></td>
</tr></table>`;
