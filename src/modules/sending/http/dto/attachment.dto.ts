import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class AttachmentDto {
  /**
   * Shown to the recipient. File types that providers refuse, such as .exe, are refused here.
   * @example "invoice.pdf"
   */
  @ApiProperty({ maxLength: 255 })
  filename!: string;

  /**
   * The file in base64 (RFC 4648 §4: with padding, without line breaks).
   * @example "SGVsbG8="
   */
  content!: string;

  /**
   * The media type. By default that of the file name's extension, or application/octet-stream.
   * @example "application/pdf"
   */
  @ApiPropertyOptional({ type: String, maxLength: 255, nullable: true })
  contentType?: string | null;

  /**
   * For a file that the HTML shows: `<img src="cid:logo">` refers to the attachment with the contentId `logo`.
   * @example "logo"
   */
  @ApiPropertyOptional({ type: String, maxLength: 78, nullable: true })
  contentId?: string | null;
}
