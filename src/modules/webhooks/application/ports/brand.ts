/** The operator's word in the names of headers. */
export abstract class Brand {
  abstract readonly name: string;
}
