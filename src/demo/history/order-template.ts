import { button, heading, layout } from './mail-layout.js';

const SHOP = 'https://shop.northwind.example.com';

const CONTENT = `${heading('Thank you, {{firstName}}!')}
<p style="margin:0 0 24px">We are roasting your order <strong>{{order.number}}</strong> today and ship it tomorrow.
You get the tracking number as soon as the parcel is on its way.</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
{{#order.items}}
<tr>
<td class="line" style="padding:12px 0;border-bottom:1px solid #eaded4">
<strong>{{name}}</strong><br><span class="muted" style="color:#6f5f54;font-size:14px">{{quantity}} × {{size}}</span></td>
<td class="line" align="right" valign="top" style="padding:12px 0;border-bottom:1px solid #eaded4">{{price}}</td>
</tr>
{{/order.items}}
<tr>
<td style="padding:12px 0 0"><strong>Total</strong></td>
<td align="right" style="padding:12px 0 0"><strong>{{order.total}}</strong></td>
</tr>
</table>
<table role="presentation" class="tile" width="100%" cellpadding="0" cellspacing="0" border="0"
 style="margin:28px 0 0;background:#f8f2ec;border-radius:8px">
<tr><td class="text" style="padding:16px 20px;font-size:14px"><strong>Best between day 7 and day 30.</strong>
Fresh coffee needs a few days to calm down: the roast date is on the bag.</td></tr>
</table>
${button(`${SHOP}/orders`, 'See your order')}`;

/** The template, with the sample values of its preview. */
export const ORDER_TEMPLATE = {
  name: 'Order confirmation',
  subject: 'Order {{order.number}} is confirmed',
  html: layout({
    preview: 'We are roasting order {{order.number}}.',
    content: CONTENT,
    footer: 'You get this mail because you ordered in our shop. Questions? Just reply.',
  }),
  text: `Thank you, {{firstName}}!

We are roasting your order {{order.number}} today and ship it tomorrow.
{{#order.items}}
{{quantity}} × {{name}}, {{size}}: {{price}}
{{/order.items}}
Total: {{order.total}}

See your order: ${SHOP}/orders`,
  sampleValues: {
    firstName: 'Ada',
    order: {
      number: 'N-10423',
      total: '€ 36.40',
      items: [
        { name: 'House blend', quantity: 2, size: '250 g, whole beans', price: '€ 19.80' },
        { name: 'Guji, Ethiopia', quantity: 1, size: '250 g, for filter', price: '€ 16.60' },
      ],
    },
  },
};
