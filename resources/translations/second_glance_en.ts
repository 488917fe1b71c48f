<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Chats</name>
    <message numerus="yes">
        <source>%Ln chat(s) deleted</source>
        <translation>
            <numerusform>%Ln chat deleted</numerusform>
            <numerusform>%Ln chats deleted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DeletedChats</name>
    <message numerus="yes">
        <source>A deleted chat can be brought back for %Ln day(s); then it is removed for good.</source>
        <translation>
            <numerusform>A deleted chat can be brought back for %Ln day; then it is removed for good.</numerusform>
            <numerusform>A deleted chat can be brought back for %Ln days; then it is removed for good.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) and all that was said there will be gone for good.</source>
        <translation>
            <numerusform>%Ln chat and all that was said there will be gone for good.</numerusform>
            <numerusform>%Ln chats and all that was said there will be gone for good.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Entries</name>
    <message numerus="yes">
        <source>{tokens}, %Ln of them for pictures</source>
        <translation>
            <numerusform>{tokens}, %Ln of them for pictures</numerusform>
            <numerusform>{tokens}, %Ln of them for pictures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImageNotes</name>
    <message numerus="yes">
        <source>{known} of %Ln tile(s) known</source>
        <translation>
            <numerusform>{known} of %Ln tile known</numerusform>
            <numerusform>{known} of %Ln tiles known</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message numerus="yes">
        <source>%Ln&#x202f;bit(s)</source>
        <translation>
            <numerusform>%Ln&#x202f;bit</numerusform>
            <numerusform>%Ln&#x202f;bits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message numerus="yes">
        <source>%Ln bypassed</source>
        <translation>
            <numerusform>%Ln bypassed</numerusform>
            <numerusform>%Ln bypassed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>encoder skipped %Ln time(s)</source>
        <translation>
            <numerusform>encoder skipped once</numerusform>
            <numerusform>encoder skipped %Ln times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln evicted: {why}</source>
        <translation>
            <numerusform>%Ln evicted: {why}</numerusform>
            <numerusform>%Ln evicted: {why}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Encoder skipped for {skipped} of %Ln image(s)</source>
        <translation>
            <numerusform>Encoder skipped for {skipped} of %Ln image</numerusform>
            <numerusform>Encoder skipped for {skipped} of %Ln images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries evicted</source>
        <translation>
            <numerusform>%Ln entry evicted</numerusform>
            <numerusform>%Ln entries evicted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Receipt</name>
    <message numerus="yes">
        <source>%Ln image(s) seen before: encoder skipped</source>
        <translation>
            <numerusform>Image seen before: encoder skipped</numerusform>
            <numerusform>%Ln images seen before: encoder skipped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{known} of %Ln image(s) seen before</source>
        <translation>
            <numerusform>{known} of %Ln image seen before</numerusform>
            <numerusform>{known} of %Ln images seen before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new image(s): encoded in {seconds}</source>
        <translation>
            <numerusform>New image: encoded in {seconds}</numerusform>
            <numerusform>%Ln new images: encoded in {seconds}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded while you typed</source>
        <translation>
            <numerusform>%Ln encoded while you typed</numerusform>
            <numerusform>%Ln encoded while you typed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s) encoded while you typed</source>
        <translation>
            <numerusform>Image encoded while you typed</numerusform>
            <numerusform>%Ln images encoded while you typed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded in {seconds}</source>
        <translation>
            <numerusform>%Ln encoded in {seconds}</numerusform>
            <numerusform>%Ln encoded in {seconds}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{seen} of %Ln tile(s) seen before</source>
        <translation>
            <numerusform>{seen} of %Ln tile seen before</numerusform>
            <numerusform>{seen} of %Ln tiles seen before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %Ln prompt token(s) run now</source>
        <translation>
            <numerusform>%Ln prompt token run now</numerusform>
            <numerusform>All %Ln prompt tokens run now</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln cache entries evicted</source>
        <translation>
            <numerusform>%Ln cache entry evicted</numerusform>
            <numerusform>%Ln cache entries evicted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded now</source>
        <translation>
            <numerusform>%Ln encoded now</numerusform>
            <numerusform>%Ln encoded now</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>new, %Ln tile(s) encoded now</source>
        <translation>
            <numerusform>new, %Ln tile encoded now</numerusform>
            <numerusform>new, %Ln tiles encoded now</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln cache entries</source>
        <translation>
            <numerusform>%Ln cache entry</numerusform>
            <numerusform>%Ln cache entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Units</name>
    <message numerus="yes">
        <source>%Ln&#x202f;min ago</source>
        <translation>
            <numerusform>%Ln&#x202f;min ago</numerusform>
            <numerusform>%Ln&#x202f;min ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln&#x202f;h ago</source>
        <translation>
            <numerusform>%Ln&#x202f;h ago</numerusform>
            <numerusform>%Ln&#x202f;h ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) ago</source>
        <translation>
            <numerusform>%Ln day ago</numerusform>
            <numerusform>%Ln days ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompt token(s)</source>
        <translation>
            <numerusform>%Ln prompt token</numerusform>
            <numerusform>%Ln prompt tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s)</source>
        <translation>
            <numerusform>%Ln image</numerusform>
            <numerusform>%Ln images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries</source>
        <translation>
            <numerusform>%Ln entry</numerusform>
            <numerusform>%Ln entries</numerusform>
        </translation>
    </message>
</context>
</TS>
