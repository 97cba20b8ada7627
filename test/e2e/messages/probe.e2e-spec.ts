import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { TestService } from '../../support/service.js';
import { insertMessages } from '../../support/message-rows.js';

describe('probe', () => {
  let service: TestService;
  beforeAll(async () => { service = await TestService.start({ ROLE: 'api' }); });
  afterAll(() => service.stop());
  it('probes', async () => {
    const account = await service.createAccount();
    const key = await account.createKey();
    const t = Date.now();
    await insertMessages(service, account.id, Array.from({ length: 25_000 }, (_, i) => ({ subject: `n${i}`, createdAt: new Date('2026-03-15T00:00:00Z') })));
    console.log('25k', Date.now() - t);
    for (const q of ['limit=0','limit=101','limit=abc','limit=','limit=1.5','limit=-1','limit=1&limit=2','limit=%20','limit=1e1','limit=0x10','limit=Infinity','limit=null',
      'status=','status=lost','status=sent,','status=SENT','status=sent,lost','status=sent,delivered&status=queued','status=sent&status=delivered','status[]=sent','status[a]=sent',
      'from=yesterday','from=2026-02-30','to=2026-13-01','from=','from=2026-03-02&to=2026-03-01','from=2026-03-02T00:00:00.001Z&to=2026-03-02T00:00:00Z','from=2026-03-02&from=2026-03-01','from=1772323200000','to=%00',
      'search=','search=a&search=b',`search=${'x'.repeat(201)}`,`search=${'x'.repeat(200)}`,`search=${'%F0%9F%98%80'.repeat(200)}`,'search=%00','search=a%0Ab','search=%ff',
      'cursor=','cursor=nonsense','cursor=a&cursor=b',`cursor=${'x'.repeat(201)}`,`cursor=${'x'.repeat(5000)}`,'page=1','subject=x','campaignId=x','__proto__=x','constructor=x','toString=x','hasOwnProperty=x','apiKeyId=x','limit=0&status=x&from=y&to=z&search=&cursor=','LIMIT=1','limit=5;search=x', '%', '%ff=1','search=%']) {
      const { status, body } = await service.request('get', '/api/messages?' + q).set('X-API-Key', key.secret);
      console.log(q.slice(0, 60), status, status === 200 ? body.items.length : body.message);
    }
    for (const q of ['limit=1','cursor=x','subject=','subject=a&subject=b','campaignId=','campaignId=a&campaignId=b',`subject=${'x'.repeat(999)}`,`campaignId=${'x'.repeat(101)}`,'subject=a%0Ab','campaignId=%00','page=1','campaignId=nonsense']) {
      const { status, body } = await service.request('get', '/api/messages/aggregate?' + q).set('X-API-Key', key.secret);
      console.log(q.slice(0, 60), status, JSON.stringify(body));
    }
    for (const f of [(r: any) => r, (r: any) => r.set('Authorization', 'Bearer x'), (r: any) => r.set('X-API-Key', 'x'), (r: any) => r.set('X-API-Key', key.secret).set('Authorization', 'Bearer x')]) {
      const { status, body } = await f(service.request('get', '/api/messages'));
      console.log(status, body.message ?? body.items.length);
    }
  });
});
