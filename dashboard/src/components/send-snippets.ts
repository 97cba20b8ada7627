/** The connection, key and addresses of the examples. */
export interface Example {
  baseUrl: string;
  secret: string;
  from: string;
  to: string;
  /** Null if the installation or the key does not allow SMTP. */
  smtp: SmtpAccess | null;
}

interface SmtpAccess {
  host: string;
  /** The port for STARTTLS or, without it, for connections without TLS; null if neither is offered. */
  port: number | null;
  /** The port for TLS from the start; null if it is not offered. */
  tlsPort: number | null;
  /** Whether `port` offers STARTTLS. */
  startTls: boolean;
  username: string;
}

export interface SendSnippet {
  name: string;
  code: string;
}

/** Complete programs that send one email, in the order in which they are offered. */
export function sendSnippets(example: Example): SendSnippet[] {
  const url = `${example.baseUrl}/api/send/transactional`;
  return [
    { name: 'curl', code: curl(example, url) },
    { name: 'TypeScript', code: typeScript(example, url) },
    { name: 'SDK', code: sdk(example) },
    { name: 'Python', code: python(example, url) },
    { name: 'Go', code: go(example, url) },
    ...(example.smtp ? [{ name: 'SMTP', code: smtp(example, example.smtp) }] : []),
  ];
}

/** A word for the shell, in single quotes. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A JSON string is a string literal in TypeScript, Python and Go, too. */
const literal = (text: string): string => JSON.stringify(text);

const bodyOf = ({ to, from }: Example) => ({
  to,
  fromEmail: from,
  subject: 'Hello',
  text: 'Sent with curl.',
});

const curl = (example: Example, url: string): string => `curl ${word(url)} \\
  -H ${word(`X-API-Key: ${example.secret}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${word(JSON.stringify(bodyOf(example), null, 2))}`;

const typeScript = (example: Example, url: string): string => `const response = await fetch(${literal(url)}, {
  method: "POST",
  headers: {
    "X-API-Key": ${literal(example.secret)},
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    to: ${literal(example.to)},
    fromEmail: ${literal(example.from)},
    subject: "Hello",
    text: "Sent with TypeScript.",
  }),
});
console.log(response.status, await response.json());`;

/** The SDK is in no registry, so the program says where it comes from. */
const sdk = (example: Example): string => `// The SDK is in the repository of this service, not in the npm registry.
// There: npm pack ./packages/sdk
// In your project: npm install <the file that this made>
import { DeliveryClient } from "opt-in-delivery-sdk";

const client = new DeliveryClient({
  apiKey: ${literal(example.secret)},
  baseUrl: ${literal(example.baseUrl)},
});
const { messageLogId } = await client.emails.send({
  to: ${literal(example.to)},
  fromEmail: ${literal(example.from)},
  subject: "Hello",
  text: "Sent with the SDK.",
});
console.log(messageLogId);`;

const python = (example: Example, url: string): string => `import json
from urllib.request import Request, urlopen

request = Request(
    ${literal(url)},
    headers={
        "X-API-Key": ${literal(example.secret)},
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "to": ${literal(example.to)},
        "fromEmail": ${literal(example.from)},
        "subject": "Hello",
        "text": "Sent with Python.",
    }).encode(),
)
with urlopen(request) as response:
    print(response.status, response.read().decode())`;

const go = (example: Example, url: string): string => `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

func main() {
	body, _ := json.Marshal(map[string]string{
		"to":        ${literal(example.to)},
		"fromEmail": ${literal(example.from)},
		"subject":   "Hello",
		"text":      "Sent with Go.",
	})
	request, err := http.NewRequest("POST", ${literal(url)}, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("X-API-Key", ${literal(example.secret)})
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(response.Status, string(answer))
}`;

function smtp({ secret, from, to }: Example, { host, port, tlsPort, startTls, username }: SmtpAccess): string {
  const url = port === null ? `smtps://${host}:${tlsPort ?? ''}` : `smtp://${host}:${port}`;
  const curl = port === null || startTls ? 'curl --ssl-reqd' : 'curl';
  return `${curl} ${word(url)} \\
  --user ${word(`${username}:${secret}`)} \\
  --mail-from ${word(from)} \\
  --mail-rcpt ${word(to)} \\
  --upload-file - <<'END'
From: ${from}
To: ${to}
Subject: Hello

Sent by SMTP.
END`;
}
